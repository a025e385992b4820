import { z } from 'zod';
import { canonicalJson, sha256 } from '../../core/canonical-json.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import { parseJson } from '../../core/parse-json.ts';
import { platformTime } from '../../core/platform-time.ts';
import type { Kind } from '../facts.ts';
import { subjectOf } from './subjects.ts';

/** What a delivery says has happened. It is a hint: what it is about is read from the platform. */
export interface DeliveredEvent {
  /** What tells it apart from every other event, however often it is delivered. */
  readonly id: string;
  /** The platform's name of its type. */
  readonly type: string;
  /** Milliseconds since the epoch, as the platform says. */
  readonly happenedAt: number | null;
  /** What it is about; undefined where its type or its data say nothing of that. */
  readonly about: { readonly kind: Kind; readonly platformId: string } | undefined;
}

const text = z.string().max(limits.textCharacters);

/** The body of a delivery. Version 1 has `notificationId` and a list of payloads; what is not read here may be anything. */
const shape = once(() =>
  z.looseObject({
    eventType: text.min(1),
    eventDate: text.optional(),
    transactionTraceId: text.optional(),
    notificationId: text.optional(),
    payload: z.unknown().optional(),
    payloads: z.unknown().optional(),
  }),
);

/** The events of a delivery; undefined where its body has neither version's shape. Each payload of version 1 is one event. */
export function eventsIn(body: string): readonly DeliveredEvent[] | undefined {
  const read = shape().safeParse(jsonOf(body));
  if (!read.success) return undefined;
  const { eventType: type, eventDate = '', notificationId, transactionTraceId, payload, payloads: several } = read.data;
  // Both versions write one payload as an object, or several as a list.
  const payloads = [payload, several].flat().filter((it) => it !== undefined && it !== null);
  if (payloads.length > limits.arrayElements) return undefined;
  const happened = platformTime(eventDate);
  // Where nothing names the occasion, only the very same delivery is the same event: what comes twice is read twice.
  const occasion = [type, eventDate, notificationId ?? transactionTraceId ?? sha256(body)];
  const about = payloads.flatMap((payload) => subjectIn(type, payload) ?? []);
  return (about.length === 0 ? [undefined] : about).map((it) => ({
    id: sha256(canonicalJson([...occasion, it?.platformId ?? ''])),
    type,
    happenedAt: Number.isNaN(happened) ? null : happened,
    about: it,
  }));
}

function jsonOf(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined; // the parser's own message quotes the text
  }
}

/** What a payload is about: its data, or the payload itself, has the platform's id. */
function subjectIn(type: string, payload: unknown): DeliveredEvent['about'] {
  const subject = subjectOf(type);
  if (subject === undefined) return undefined;
  const data = membersOf(membersOf(payload).data ?? payload);
  const platformId = subject.idAt.map((member) => data[member]).find(isId);
  return platformId === undefined ? undefined : { kind: subject.kind, platformId };
}

const isId = (it: unknown): it is string => typeof it === 'string' && it !== '' && it.length <= limits.textCharacters;

const membersOf = (it: unknown): Readonly<Record<string, unknown>> =>
  typeof it === 'object' && it !== null ? (it as Readonly<Record<string, unknown>>) : {};
