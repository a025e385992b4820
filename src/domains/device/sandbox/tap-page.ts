import { createHash } from 'node:crypto';
import { z } from 'zod';
import { amount as amountText } from '../../../core/fields.ts';
import { added, decimal, money, moneyFault } from '../../../core/money.ts';
import { pageStyle } from '../../../core/page-style.ts';
import { invalid, PlatformError } from '../../../sandbox/answer.ts';
import type { PageRequest } from '../../../sandbox/domain.ts';
import { pageBody } from '../../../sandbox/json-body.ts';
import { gatewayRefusal, type Wire, wire } from '../../../sandbox/wire.ts';
import type { World } from '../../../sandbox/world.ts';
import { tipAt } from '../tips.ts';
import type { AskedTap } from './documents.ts';
import { readerOf } from './state.ts';
import { tapScript } from './tap-script.ts';

// The page on which a person taps the card: the screen of the simulated reader.

/** Serves the page, what is on its screen, and what the person does. */
export async function serveTaps(world: World, { method, rest, bytes }: PageRequest): Promise<Wire> {
  const ask = asks[`${method} ${rest}`];
  if (ask === undefined) return gatewayRefusal(404);
  try {
    return await world.attempt(() => ask(world, bytes));
  } catch (failure) {
    if (failure instanceof PlatformError) return wire(failure.status, { error: { message: failure.message } });
    throw failure;
  }
}

const act = z.strictObject({
  /** Of what was on the screen: a person may come too late. */
  id: z.string(),
  does: z.enum(['approve', 'decline', 'abort']),
  tip: amountText.optional(),
  /** With the tip. */
  total: amountText.optional(),
});

const asks: { readonly [call: string]: ((world: World, bytes: Uint8Array) => Wire) | undefined } = {
  'GET ': () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8', ...safety }, text: html }),
  'GET screen': (world) => wire(200, screenOf(world), { 'cache-control': 'no-store' }),
  'POST screen': (world, bytes) => {
    const { taps } = parsed(z.strictObject({ taps: z.enum(['auto', 'person']) }), bytes);
    world.put('reader', { ...readerOf(world), taps });
    return wire(200, screenOf(world));
  },
  'POST tap': (world, bytes) => {
    const { id, does, tip, total } = parsed(act, bytes);
    const it = readerOf(world);
    if (it.asked?.id !== id) throw new PlatformError(409, 'INVALID_STATE', 'That payment is over.');
    const left = total === undefined ? tip : tipIn(it.asked, total);
    if (left !== undefined) demandMoney(left, it.asked.currency);
    const next = [...it.next, { does, ...(left === undefined ? {} : { tip: left }) }];
    world.put('reader', { ...it, next, asked: undefined });
    return wire(200, screenOf(world));
  },
};

/** What is on the screen. */
function screenOf(world: World) {
  const { taps, asked } = readerOf(world);
  if (asked === undefined) return { taps, asked: null };
  const { id, credits, amount, currency, tip } = asked;
  const choices = tip?.percentageChoice?.map((percent) => {
    const part = decimal(tipAt(money(amount, currency), percent));
    return { percent, tip: part, total: added(amount, part, currency) };
  });
  return { taps, asked: { id, credits, amount, currency, choices: choices ?? null, input: tip?.input ?? null } };
}

/** The tip in a total. */
function tipIn({ amount, currency }: AskedTap, total: string): string {
  demandMoney(total, currency);
  const [whole, part] = [money(total, currency), money(amount, currency)];
  if (whole.minor < part.minor) throw invalid('total', `The total is at least ${amount} ${currency}.`);
  return decimal({ ...whole, minor: whole.minor - part.minor });
}

function demandMoney(text: string, currency: string): void {
  const fault = moneyFault(text, currency);
  if (fault !== null) throw invalid('tip', fault);
}

const parsed = <S extends z.ZodType>(schema: S, bytes: Uint8Array): z.output<S> =>
  pageBody(schema, bytes, 'Type an amount such as 4.00.');

/** On a telephone the tap has a row of its own: it is what nearly everybody does. */
const style = `${pageStyle}
.fault { display: block; margin-top: .25rem; color: var(--no); font-weight: 600; }
input[aria-invalid=true] { border-color: var(--no); }
@media (max-width: 30rem) { #payment .yes { flex-basis: 100%; } }
`;

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Card reader – Purser sandbox</title>
<style>${style}</style>
<main>
<h1 id="title">Card reader</h1>
<p id="status" role="status"></p>
<form id="payment" hidden>
<fieldset id="tips" hidden><legend>Tip</legend></fieldset>
<p id="typed" hidden><label id="asks" for="amount"></label><input id="amount" inputmode="decimal" autocomplete="off">
<span id="fault" class="fault" hidden></span></p>
<div class="actions">
<button class="yes" value="approve">Tap the card</button>
<button class="no" value="decline">Declined card</button>
<button value="abort">Cancel</button>
</div>
</form>
<p class="quiet">This is the simulated reader of the sandbox. No real card is charged.</p>
<button type="button" id="mode" value="person">Wait for a person to tap</button>
</main>
<noscript><p>This page needs JavaScript. The control API can tap, too: POST /sandbox/reader/taps.</p></noscript>
<script>${tapScript}</script>
</html>
`;

const hashOf = (code: string): string => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

/** Only the page's own script and style run, and no page can frame it. */
const safety = {
  'content-security-policy': `default-src 'none'; script-src ${hashOf(tapScript)}; style-src ${hashOf(style)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;
