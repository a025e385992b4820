import type { Fleet, Replica, Said } from './fleet.ts';

// What races have in common: everybody at once, approvals, and the ways to win and to lose.

export type Count = (
  kind: string,
  said: readonly Said[],
  won: (said: Said) => boolean,
  lost: (said: Said) => boolean,
) => Said | undefined;

/** All replicas at once, and the one that prepares a race. */
export const within = ({ replicas }: Fleet, index: number) => ({
  all: (tell: (replica: Replica, at: number) => Promise<Said>) => Promise.all(replicas.map(tell)),
  one: replicas[index % replicas.length] as Replica, // a fleet has replicas
});

/** A call that one replica proposes and a person approves, and that all of them then make at once. */
export async function approved(fleet: Fleet, index: number, kind: string, count: Count, tool: string, args: object) {
  const { all, one } = within(fleet, index);
  const asked = await one.call(tool, args);
  if (!asks(asked)) throw new Error(`It should have asked: ${JSON.stringify(asked)}`);
  await expectOk(one.ask({ does: 'decide', approval: approvalOf(asked), verdict: 'approve' }));
  const isIt = (it: Said) => done(it) && operationOf(it) === operationOf(asked);
  // The same once more may ask anew, or need no yes by then.
  const begun = count(kind, await all((it) => it.call(tool, args)), isIt, (it) =>
    [joined, held, asks, done].some((lost) => lost(it)),
  );
  return begun?.kind === 'said' ? begun.value.data : {};
}

/** It went through now, and not in an earlier call. */
export const done = (it: Said): boolean =>
  it.kind === 'said' && it.value.outcome === 'done' && it.value.replayed !== true;
/** The very same call is under way elsewhere, or its result came once more. */
export const joined = (it: Said): boolean =>
  it.kind === 'said' && (it.value.replayed === true || it.value.error?.code === 'IN_FLIGHT');
export const refusedBy =
  (code: string) =>
  (it: Said): boolean =>
    it.kind === 'said' && it.value.error?.code === code;
/** Another call is at the same thing, or what it was allowed is used up. */
export const held = (it: Said): boolean =>
  it.kind === 'said' && ['IN_FLIGHT', 'APPROVAL_REQUIRED', 'RULE'].includes(it.value.error?.code);

/** What was approved is used up, and a person would be asked for another one. */
export const asks = (it: Said): boolean => it.kind === 'said' && it.value.outcome === 'needs_approval';

const operationOf = (it: Said): string => (it.kind === 'said' ? (it.value.operation ?? '') : '');
export const approvalOf = (it: Said): string => (it.kind === 'said' ? (it.value.approval?.id ?? '') : '');

// biome-ignore lint/suspicious/noExplicitAny: answers are compared whole, not typed
export async function expectDone(asked: Promise<Said>): Promise<any> {
  const said = await asked;
  if (said.kind === 'said' && done(said)) return said.value.data;
  throw new Error(`It should have been done: ${JSON.stringify(said)}`);
}

export async function expectOk(asked: Promise<Said>): Promise<void> {
  const said = await asked;
  if (said.kind !== 'said' || said.value.ok !== true) throw new Error(`It should have worked: ${JSON.stringify(said)}`);
}
