/** What one run of a proof came to. Findings are what must not be: a sentence each, with what leads to it again. */
export interface Found {
  readonly counts: { readonly [what: string]: number };
  readonly findings: readonly string[];
}

/** Counts and findings while they are made; of many findings the first few are enough. */
export function tally() {
  const counts = new Map<string, number>();
  const findings: string[] = [];
  let more = 0;
  return {
    count: (what: string, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    atLeast: (what: string, value: number) => void counts.set(what, Math.max(counts.get(what) ?? 0, value)),
    find: (finding: string) => {
      if (findings.length < enough) findings.push(finding);
      else more++;
    },
    found: (): Found => ({
      counts: Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))),
      findings: more === 0 ? findings : [...findings, `and ${more} more`],
    }),
  };
}
const enough = 20;
