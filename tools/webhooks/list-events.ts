import { z } from 'zod';
import { once } from '../../src/core/once.ts';
import { isKind, kindTable } from '../../src/domains/index.ts';
import { knownEventTypes } from '../../src/domains/webhooks/subjects.ts';
import { Refused } from '../../src/engine/refusal.ts';
import { iso, untrusted } from '../../src/engine/render.ts';
import { handleShown, momentShown, ownWords, stateShown, textsShown } from '../../src/engine/shown.ts';
import { type LocalTool, localTool } from '../../src/engine/tool.ts';
import type { View } from '../../src/engine/view.ts';
import type { EventRow } from '../../src/ledger/rows.ts';
import { many, page, paged } from '../pages.ts';

const eventShown = once(() =>
  z.looseObject({
    // A type that isn't known is a text of the sender's.
    type: textsShown(knownEventTypes),
    arrived: momentShown,
    happened: momentShown.optional(),
    thing: handleShown.optional(),
    state: stateShown,
    because: ownWords.optional(),
  }),
);

/** The events that the platform has delivered, from the ledger. */
export const listsEvents: readonly LocalTool[] = [
  localTool('list_events', {
    title: 'List events',
    description:
      'List events the platform delivered, newest first. An event is only a hint: read its thing for the current state. APPLIED: Purser did so.',
    inputSchema: () =>
      z.strictObject({
        thing: z.string().max(64).optional().describe('Of this subscription, invoice or card.'),
        ...page(),
      }),
    outputSchema: () => z.looseObject({ items: z.array(eventShown()), total: z.number(), more: ownWords.optional() }),
    run: async ({ thing, limit, cursor }, { tx }) => {
      if (thing !== undefined) await demandThing(tx, thing);
      const found = await tx.events.list({ thing }, { limit, cursor });
      await tx.observations.load(found.rows.map((row) => row.thing));
      const kinds = new Set<string>();
      const items = [];
      for (const row of found.rows) {
        const known = await tx.observations.find(row.thing);
        if (known !== undefined) kinds.add(known.kind);
        items.push(shownEvent(row, known !== undefined));
      }
      return {
        said: found.total === 1 ? 'One event.' : `${many(found)} events.`,
        data: paged(found, items),
        next: [...kinds].flatMap((kind) => (isKind(kind) ? kindTable[kind].shownBy : [])),
      };
    },
  }),
];

/** A handle of nothing is refused, so that it doesn't look as if nothing had arrived. */
async function demandThing(tx: Pick<View, 'observations'>, handle: string): Promise<void> {
  if ((await tx.observations.find(handle)) !== undefined) return;
  throw new Refused({
    code: 'NOT_FOUND',
    rule: 'EN-02',
    field: 'thing',
    because: 'There is nothing with this handle.',
    instead: ['list_events'],
  });
}

const shownEvent = ({ type, thing, state, happenedAt, createdAt }: EventRow, isKnown: boolean) => ({
  type: untrusted(type),
  arrived: iso(createdAt),
  ...(happenedAt === null ? {} : { happened: iso(happenedAt) }),
  ...(isKnown ? { thing } : {}),
  state,
  ...(reasons[state] === undefined ? {} : { because: reasons[state] }),
});

/** Why nothing was read for an event. */
const reasons: { readonly [state: string]: string | undefined } = {
  RECEIVED: 'It waits to be read from the platform.',
  NOT_HANDLED: 'Purser reads nothing from the platform for such an event.',
  NOT_KNOWN: 'It is about something that Purser did not know then; find it with a list.',
  NOT_APPLIED: 'The platform did not answer; look at the thing now.',
};
