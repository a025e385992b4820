import type { Snapshot } from '../../../src/sandbox/index.ts';
import { differences } from '../graders/canonical.ts';
import type { Run } from '../replay/run.ts';
import type { Writing } from './answers.ts';
import type { Names } from './names.ts';
import { since } from './said.ts';
import { flow, isTree, labelled } from './values.ts';

// What a run did to the platform: what differs in its documents, its e-mails, its events and what took effect.

/** Documents that say nothing of a story: its clock, the last of the codes, and what is listed apart. */
const apart: ReadonlySet<string> = new Set(['clock', 'lastCode', 'email', 'event']);

export function linesOfPlatform(
  { before, after }: Pick<Run, 'before' | 'after'>,
  { names, said }: Writing,
): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const was = byName(before.platform);
  const is = byName(after.platform);
  const all = [...new Set([...was.keys(), ...is.keys()])];
  return [
    ...all.flatMap((name) => changed({ name, was: was.get(name), is: is.get(name) }, { names, said })),
    ...listed('e-mail', fresh(before.platform, after.platform, 'email'), names),
    ...listed('event', fresh(before.platform, after.platform, 'event'), names),
    ...labelledIfAny('took effect', after.platform.effects.slice(before.platform.effects.length), names),
  ];
}

type Body = Readonly<Record<string, unknown>>;

const byName = ({ documents }: Snapshot): ReadonlyMap<string, Body> =>
  new Map(
    documents
      .filter(({ kind }) => !apart.has(kind))
      .map(({ kind, body }) => [`${kind} ${body.id}`, body as unknown as Body]), // the sandbox's own documents
  );

/** A thing before and after a run. */
export interface Changed {
  readonly name: string;
  readonly was: Body | undefined;
  readonly is: Body | undefined;
}

/** What became of a thing: what was not said of it yet where it is new, and what differs otherwise. */
export function changed(
  { name, was, is }: Changed,
  { names, said }: Pick<Writing, 'names' | 'said'>,
): readonly string[] {
  if (was === is) return [];
  if (is === undefined) return [`- ${names.in(name)}`];
  if (was === undefined) {
    const { id: _, ...rest } = is;
    const more = said.beyond(rest);
    said.add(rest);
    return more === undefined ? [`+ ${names.in(name)}`] : labelled(`+ ${names.in(name)}`, more, names, '');
  }
  const found = differences(was, is, '');
  if (found.length === 0) return [];
  const turns = found.map(({ path, before, after }) => [
    names.in(path.slice(1)),
    `${flow(before, names)} → ${flow(after, names)}`,
  ]);
  const line = `~ ${names.in(name)}: ${turns.map(([path, turn]) => `${path} ${turn}`).join(', ')}`;
  return line.length <= 120 ? [line] : [`~ ${names.in(name)}:`, ...turns.map(([path, turn]) => `  ${path} ${turn}`)];
}

function fresh(before: Snapshot, after: Snapshot, kind: string): readonly Body[] {
  const known = new Set(before.documents.filter((it) => it.kind === kind).map(({ body }) => body.id));
  return after.documents
    .filter((it) => it.kind === kind && !known.has(it.body.id))
    .map(({ body }) => body as unknown as Body); // the sandbox's own documents
}

/** E-mails or events, each but for what it has in common with the one before it. */
function listed(what: string, found: readonly Body[], names: Names): readonly string[] {
  let before: Body = {};
  return found.flatMap(({ id: _, at, template, to, eventType, productId: __, organizationId: ___, ...rest }) => {
    const content = {
      ...rest,
      ...(isTree(rest.fields ?? rest.payload) ? ((rest.fields ?? rest.payload) as Body) : {}),
      fields: undefined,
      payload: undefined,
    };
    const head = [what, template ?? eventType, to, `at ${flow(at, names)}`].filter((it) => it !== undefined);
    const more = since(before, content);
    const isLike = Object.keys(before).length > 0 && Object.keys(more).length < Object.keys(content).length / 2;
    before = content;
    return labelled(`${head.join(' ')}${isLike ? ' as before but for' : ''}`, isLike ? more : content, names, '');
  });
}

function labelledIfAny(label: string, effects: Snapshot['effects'], names: Names): readonly string[] {
  if (effects.length === 0) return [];
  return labelled(
    label,
    effects.map(({ operation, status }) => `${operation} ${status}`),
    names,
    '',
  );
}
