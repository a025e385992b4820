/** The filters of a list. */
interface Wanted {
  readonly filters?: string | undefined;
  readonly name?: string | undefined;
  readonly code?: string | undefined;
  readonly status?: string | undefined;
}

interface Named {
  readonly name: string;
  readonly code: string;
  readonly state: string;
}

/** Whether a plan or a subscription matches the filters of a query, in either notation (PL-12). */
export function matching({ filters, name, code, status }: Wanted): (it: Named) => boolean {
  const terms = [...termsOf(filters), ...given({ name, code, status })];
  return (it) => terms.every(([key, value]) => fits[key]?.(it, value) ?? false);
}

/** `name:Gold AND status:ACTIVE`. The shape lets nothing else through. */
const termsOf = (filters: string | undefined): readonly (readonly [string, string])[] =>
  (filters?.split(' AND ') ?? []).map((term) => {
    const colon = term.indexOf(':');
    return [term.slice(0, colon), term.slice(colon + 1)];
  });

const given = (members: Readonly<Record<string, string | undefined>>): readonly (readonly [string, string])[] =>
  Object.entries(members).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));

const plain = (text: string): string => text.trim().toLowerCase();

/** A name matches by any part, everything else as a whole. */
const fits: { readonly [key: string]: ((it: Named, value: string) => boolean) | undefined } = {
  name: (it, value) => plain(it.name).includes(plain(value)),
  code: (it, value) => plain(it.code) === plain(value),
  status: (it, value) => plain(it.state) === plain(value),
};
