import { basename } from 'node:path';
import { domains } from '../../../../src/domains/index.ts';
import { mechanismKeys, recordFiles } from '../../goldens/records.ts';
import { platformToolOf } from '../../scenario/catalogue.ts';
import type { Loaded } from '../../scenario/load.ts';
import { isActor, isCall } from '../../scenario/schema.ts';
import type { Baseline, Stage } from './baseline.ts';
import type { Site } from './sites.ts';

/**
 * The scenarios that come by a site, at most so many: those of its domain first, and the quick ones before the others. Where there are
 * more, the rest is spread over all of them. What a build works out when it is loaded, such as a table, is used by the scenarios of its domain.
 */
export function inOrder(
  site: Site,
  index: number,
  { loaded, most, lanes }: Pick<Stage, 'loaded' | 'most' | 'lanes'>,
  baseline: Baseline,
): readonly Loaded[] {
  const { passed } = baseline;
  const isOnce = isMadeOnce(index, lanes, baseline);
  const cost = ({ scenario: { id } }: Loaded): number =>
    (passed.get(id)?.milliseconds ?? 0) + (id.startsWith(site.domain) ? 0 : otherDomain);
  const all = loaded
    .filter((one) => {
      const reach = passed.get(one.scenario.id);
      return reach !== undefined && (reach.sites.has(index) || (isOnce && concerns(site, one)));
    })
    .toSorted((one, other) => cost(one) - cost(other));
  if (all.length <= most) return all;
  const first = all.slice(0, Math.floor(most / 2));
  const rest = all.slice(first.length);
  const step = rest.length / (most - first.length);
  return [...first, ...rest.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))];
}

/**
 * Whether a site is worked out at load, or may be by whichever scenario of a thread comes first, as it is noted of so few and comes up
 * in a session or a mechanism, too.
 */
function isMadeOnce(index: number, lanes: number, baseline: Baseline): boolean {
  if (baseline.atLoad.has(index)) return true;
  if (!isInSession(index, baseline)) return false;
  const scenarios = [...baseline.passed.values()].filter(({ sites }) => sites.has(index)).length;
  return scenarios > 0 && scenarios <= lanes;
}

/**
 * The keys of records that may notice a bug at a site. First those that come by it, and if it is worked out once, the sessions of its
 * domain, whichever of them came first. Only what is worked out at load can change what a build goes by. All other mechanisms use what
 * is worked out at load, and may use what is worked out once: as if one of them alone comes by it.
 */
export function recordsFor({ domain }: Site, index: number, { atLoad, sessions }: Baseline): readonly string[] {
  const isEarly = atLoad.has(index);
  const reaching = [...sessions].filter(([, sites]) => sites.has(index)).map(([key]) => key);
  const isOnce = isEarly || reaching.length > 0;
  const ofDomain = isOnce ? [...sessions.keys()].filter((key) => basename(key).startsWith(domain)) : [];
  const others = isEarly || reaching.length === 1 ? mechanismKeys().filter((key) => sessions.has(key)) : [];
  return [...new Set([...reaching, ...ofDomain, ...(isEarly ? recordFiles : []), ...others])];
}

/** Whether a session comes by a site, or a mechanism. */
export const isInSession = (index: number, { sessions }: Baseline): boolean =>
  [...sessions.values()].some((sites) => sites.has(index));

/** More milliseconds than any scenario takes. */
const otherDomain = 1_000_000;

/** Whether a scenario has to do with the domain of a site: by its name, its tools, or by what others do in it. */
function concerns({ domain }: Site, { scenario: { id, steps } }: Loaded): boolean {
  if (domain === 'all' || !Object.hasOwn(domains, domain) || id.startsWith(domain)) return true;
  return steps.some((step) => {
    const tool = isCall(step) ? step.call : isActor(step) && 'tries' in step ? String(step.tries) : undefined;
    return tool === undefined ? isActor(step) && domain === 'webhooks' : domainOfTool(tool) === domain;
  });
}

function domainOfTool(name: string): string | undefined {
  const tool = platformToolOf(name);
  if (tool === undefined) return undefined;
  return Object.entries(domains).find(([, it]) => Object.hasOwn(it.contract, tool.operation))?.[0];
}
