// Other bodies in the place of one, as a careless program would send them: a field is missing, a value is out of all bounds.

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A body that differs from another in one place. */
export interface Variation {
  /** What differs, such as `without orderInformation.amountDetails.currency`. */
  readonly what: string;
  readonly body: unknown;
}

/** Every variation of a body. Dates and times are also set to `now`, if it is given. Of a list, only the first element is varied. */
export const variationsOf = (body: unknown, now?: number): readonly Variation[] =>
  variationsWith(body, (value) => others(value, now));

/** Wrong values in the place of one that is no list and no object, each with a name: the value itself may be nobody's to read. */
export type Others = (value: unknown) => readonly (readonly [name: string, value: unknown])[];

/** Every variation of a body with these values in the place of its own. */
export const variationsWith = (body: unknown, instead: Others): readonly Variation[] => within(body, '', instead);

/** One wrong value in the place of another: the last of those that are tried. */
export const anotherThan: Others = (value) => others(value).slice(-1);

function within(value: unknown, path: string, instead: Others): readonly Variation[] {
  if (Array.isArray(value)) {
    const [first, ...rest] = value;
    const inner = first === undefined ? [] : within(first, `${path}[]`, instead);
    return [
      { what: `${path} empty`, body: [] },
      ...(rest.length > 0 || first === undefined ? [] : [{ what: `${path} twice`, body: [first, first] }]),
      ...inner.map(({ what, body }) => ({ what, body: [body, ...rest] })),
    ];
  }
  if (!isTree(value)) return instead(value).map(([name, body]) => ({ what: `${path} ${name}`, body }));
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const { [name]: _, ...rest } = value;
    return [
      { what: `without ${at}`, body: rest },
      ...within(member, at, instead).map(({ what, body }) => ({ what, body: { ...value, [name]: body } })),
    ];
  });
}

/** What variations need of a JSON Schema. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: { readonly [name: string]: Shape };
}

/** Variations that a JSON Schema allows: each other value of an enumeration, and what could be given besides. */
export const allowedBy = ({ properties = {} }: Shape, value: Tree, path = ''): readonly Variation[] =>
  Object.entries(properties).flatMap(([name, shape]) => {
    const given = value[name];
    const at = path === '' ? name : `${path}.${name}`;
    const inner = isTree(given)
      ? allowedBy(shape, given, at)
      : allowed(shape, given).map((it) => ({ what: `${at} ${String(it)}`, body: it }));
    return inner.map(({ what, body }) => ({ what, body: { ...value, [name]: body } }));
  });

/** Values of an enumeration that are tried. Own choice: more than any but that of currencies has. */
const mostValues = 8;

function allowed(shape: Shape, given: unknown): readonly unknown[] {
  if (shape.enum !== undefined) return shape.enum.filter((it) => it !== given).slice(0, mostValues);
  if (given !== undefined) return [];
  if (shape.type === 'boolean') return [true, false];
  if (shape.type === 'integer' || shape.type === 'number') return [2];
  return shape.type === 'string' ? [examples[shape.format ?? ''] ?? 'Word'] : [];
}

const examples: Readonly<Record<string, string>> = {
  date: '2026-02-01',
  'date-time': '2026-02-01T09:00:00Z',
  email: 'ada@example.com',
};

function others(value: unknown, now?: number): ReturnType<Others> {
  if (typeof value === 'boolean') return [['turned', !value]];
  if (typeof value === 'number')
    return [
      ['-1', -1],
      ['huge', value + 1_000_000],
    ];
  if (typeof value !== 'string') return [];
  if (/^\d+(?:\.\d+)?$/.test(value))
    return [
      ['0', '0'],
      ['huge', `9${value}`],
    ];
  if (/^\d{4}-\d\d-\d\d/.test(value))
    return [
      ['in 2001', `2001${value.slice(4)}`],
      ['in 2099', `2099${value.slice(4)}`],
      ...(now === undefined ? [] : [['now', momentLike(value, now)] as const]),
    ];
  return [['empty', ''], ['another', `${value}?`], ...(/^[A-Z]{3}$/.test(value) ? [['in yen', 'JPY'] as const] : [])];
}

/** A moment as a day or a time, as another one is written. */
const momentLike = (text: string, moment: number): string => {
  const time = new Date(moment).toISOString();
  return text.length <= dayLetters ? time.slice(0, dayLetters) : text.includes('.') ? time : time.replace(/\.\d+/, '');
};
const dayLetters = 10;

/** A body as no program should send it: nothing in the place of a member, a member too many, and text that nobody may store. */
export const spoiledOf = (value: unknown, path = ''): readonly Variation[] => {
  if (Array.isArray(value)) {
    const [first, ...rest] = value;
    return first === undefined
      ? []
      : spoiledOf(first, `${path}[]`).map(({ what, body }) => ({ what, body: [body, ...rest] }));
  }
  if (typeof value === 'string')
    return [
      { what: `${path} like a card`, body: cardNumber },
      { what: `${path} invisible`, body: `${value}\u200b` },
    ];
  if (!isTree(value)) return [];
  return [
    { what: `${path} too much`, body: { ...value, surplus: 'Word' } },
    { what: `${path} named like a card`, body: { ...value, [cardNumber]: 'Word' } },
    ...Object.entries(value).flatMap(([name, member]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const others = [{ what: `${at} null`, body: null }, ...spoiledOf(member, at)];
      return others.map(({ what, body }) => ({ what, body: { ...value, [name]: body } }));
    }),
  ];
};

/** A number that no card has, with the check digit of one. */
const cardNumber = '4111 1111 1111 1111';
