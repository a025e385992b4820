// OTLP in JSON, as far as spans need it: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding

/** One span. Ids are hexadecimal, moments nanoseconds since 1970 as text. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly SpanEvent[];
  /** `code` 2 is an error; a span without a status is neither. */
  readonly status?: { readonly code: number; readonly message?: string };
}

export interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values: readonly KeyValue[] } };

export const spanKind = { internal: 1, client: 3 } as const;

/** Attributes of a span; undefined ones are left out. */
export type Attributes = Readonly<Record<string, unknown>>;

export const attributesOf = (attributes: Attributes): readonly KeyValue[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : { key, value: anyValue(value) }));

/** A JSON value. Null is a value without a kind, which OTLP writes as an empty object. */
function anyValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === 'object' && value !== null)
    return { kvlistValue: { values: attributesOf(value as Attributes) } };
  return {} as AnyValue; // that is how the protocol has null
}
