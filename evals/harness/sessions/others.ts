import type { Others } from '../replay/variations.ts';

// What a careless program sends in the place of something: values at and beyond the bounds of what the platform takes.

const anyText: ReturnType<Others> = [
  ['empty', ''],
  ['long', 'x'.repeat(300)],
  ['a number', 7],
  ['null', null],
];

/** Wrong values in the place of one. */
export const otherValues: Others = (value) => {
  if (typeof value === 'boolean')
    return [
      ['turned', !value],
      ['a text', String(value)],
    ];
  if (typeof value === 'number')
    return [
      ['0', 0],
      ['-1', -1],
      ['half more', value + 0.5],
      ['huge', 1e9],
      ['a text', String(value)],
    ];
  if (typeof value !== 'string') return [];
  if (/^\d+\.\d+$/.test(value))
    return [
      ...['0', '0.00', '-1.00', '1', '10.005', '1e3', '01.00', '999999999999.99'].map((it) => [it, it] as const),
      ['a number', Number(value)],
    ];
  if (/^\d{4}-\d\d-\d\d/.test(value)) {
    const time = value.slice(10);
    return ['2026-02-30', '2026-01-14', '2026-01-15', '2099-12-31', '15-01-2026'].map(
      (day) => [day + time, day + time] as const,
    );
  }
  if (/^\d+$/.test(value)) return ['0', '-1', '1.5', '013', '99999', 'x'].map((it) => [it, it] as const);
  if (/^[A-Z]{3}$/.test(value)) return ['JPY', 'KWD', 'XXX', value.toLowerCase(), ''].map((it) => [it, it] as const);
  if (/^[A-Z_]+$/.test(value))
    return [
      ['OTHER', 'OTHER'],
      ['in small letters', value.toLowerCase()],
      ['empty', ''],
    ];
  return anyText;
};

/** Other values of each parameter of a query, and the path without it. */
export function otherQueries(path: string): readonly { readonly what: string; readonly path: string }[] {
  const [pathname = '', search] = path.split('?');
  if (search === undefined) return [];
  const given = [...new URLSearchParams(search)];
  return given.flatMap(([name], at) => {
    const withValue = (value: string | undefined) => {
      const rest = given.flatMap((one, index): [string, string][] =>
        index !== at ? [one] : value === undefined ? [] : [[name, value]],
      );
      return rest.length === 0 ? pathname : `${pathname}?${new URLSearchParams(rest)}`;
    };
    return [
      { what: `without ${name}`, path: withValue(undefined) },
      ...['', '0', '1', '-1', 'x', '9999', '2026-02-30'].map((value) => ({
        what: `${name}=${value}`,
        path: withValue(value),
      })),
      { what: `${name} twice`, path: `${path}&${new URLSearchParams([given[at] ?? ['', '']])}` },
    ];
  });
}
