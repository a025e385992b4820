import type { Mutant } from './mutants.ts';

/** Bugs in how limits, near-duplicates, clocks and damaged rows are looked at. */
export const limitMutants: readonly Mutant[] = [
  {
    id: 'damage-is-unknown',
    title: 'a damaged row makes a call unknown of which nothing was sent',
    file: 'src/engine/engine.ts',
    find: `      return await work;
    } catch (error) {
      if (!(error instanceof CorruptRow)) throw error;`,
    replace: `      return await work;
    } catch (error) {
      if (error instanceof Error) throw error;`,
    caughtBy: 'test/promises/corrupt-rows.test.ts › enrollCard.*is refused for a damaged row',
  },
  {
    id: 'mandate-approves-a-twin',
    title: 'a mandate approves a call although its twin has an unknown outcome',
    file: 'src/engine/evaluate.ts',
    find: `checked.tainted || twin?.isPending === true ? undefined`,
    replace: `checked.tainted ? undefined`,
    caughtBy: 'test/promises/near-duplicates.test.ts › initiate_purchase.*is approved by no mandate',
  },
  {
    id: 'newest-twin-alone',
    title: 'a twin that is done hides an older one that may still take effect',
    file: 'src/engine/near-duplicate.ts',
    find: `alike.find(({ state }) => seen[state]?.isPending === true) ?? alike[0]`,
    replace: `alike.toSorted((one, other) => other.createdAt - one.createdAt)[0]`,
    caughtBy: 'test/promises/near-duplicates.test.ts › although a third one is done since',
  },
  {
    id: 'settled-update-widens',
    title: 'an update that a person found to have happened leaves the older approval as it was',
    file: 'tools/purchase.ts',
    find: `confirmed: (_, sent, authored) => ({ ...termsSent(sent as UpdateSent), agreed: authored }),`,
    replace: `confirmed: (_, sent) => termsSent(sent as UpdateSent),`,
    caughtBy: 'test/engine/releases.test.ts › an update whose answer was lost.*has narrowed',
  },
  {
    id: 'twins-that-are-done-alone',
    title: 'a twin that is under way or of unknown outcome is not looked at',
    file: 'src/ledger/operations.ts',
    find: 'return [...open, ...made, ...(await settled.execute())]',
    replace: 'return [...made, ...(await settled.execute())]',
    caughtBy: 'test/promises/near-duplicates.test.ts › asks a person while the first is being sent',
  },
  {
    id: 'clock-not-asked',
    title: 'money moves although the platform has not said what time it is',
    file: 'src/engine/clock-skew.ts',
    find: `if (skew === undefined) throw new Refused(unread);`,
    replace: `if (skew === undefined) return;`,
    caughtBy: 'test/promises/clock.test.ts › initiatePurchase.*sends nothing to a platform that is not there',
  },
  {
    id: 'clock-good-forever',
    title: 'what the platform once said of the time is good for ever',
    file: 'src/client/skew.ts',
    find: `known !== undefined && Math.abs(clock.now() - known.at) <= lastsMilliseconds`,
    replace: `known !== undefined && Math.abs(clock.now() - known.at) <= 1e15`,
    caughtBy: 'test/promises/clock.test.ts › once in a while, and again when our own clock was set',
  },
  {
    id: 'bill-without-amount',
    title: 'a limit on bills is accepted, and an invoice has no amount to hold against it',
    file: 'tools/invoices.ts',
    find: `spend: (facts) => bills(facts.args.total, facts.args.currency, facts),`,
    replace: `spend: () => undefined,`,
    caughtBy: 'test/promises/limits.test.ts › create_invoice × perCall.*is accepted as a limit',
  },
  {
    id: 'price-without-setup-fee',
    title: 'a plan is held to its price without the setup fee of the first payment',
    file: 'tools/plans.ts',
    find: `chargeOf({ currency, amount, setupFee, surcharge })`,
    replace: `chargeOf({ currency, amount, surcharge })`,
    caughtBy: 'test/promises/limits.test.ts › to the penny: a plan with its setup fee',
  },
  {
    id: 'idle-terms-accepted',
    title: 'a term that could never be applied is accepted at the start',
    file: 'src/engine/terms.ts',
    find: `if (idle !== undefined) return`,
    replace: `if (idle === 'until') return`,
    caughtBy: 'test/promises/limits.test.ts › cancel_invoice × perCall is refused at the start',
  },
  {
    id: 'limit-by-stale-amount',
    title: 'a limit counts an amount that the platform could not be asked about',
    file: 'src/engine/decide.ts',
    find: `(isHeld || operationOf(tool).effect === 'money')`,
    replace: `operationOf(tool).effect === 'money'`,
    caughtBy: 'test/promises/limits.test.ts › that the platform must first be asked for',
  },
];
