import { limits } from '../../core/limits.ts';
import { addMonths } from '../../core/schedule.ts';
import type { DeviceFacts } from './facts.ts';

// What the SDK demands of a handset and of the app that embeds it: document 3, "What the service does", "Limits" and "Versioning".

/** Releases of the SDK, oldest first. Operators add those that came later. */
const releases = ['3.0.0', '3.1.0', '3.2.0', '3.3.0', '3.5.0'] as const;

/** Whether a version of the SDK can be used in new builds (DV-13). */
export function sdkSupport(version: string | undefined, later: readonly string[] = []): 'latest' | 'older' | 'unknown' {
  const known = [...releases, ...later];
  const at = known.lastIndexOf(version ?? '');
  if (at < 0) return 'unknown';
  return known.length - at <= limits.sdkReleases ? 'latest' : 'older';
}

/** The versions that can be used in new builds. */
export const usableReleases = (later: readonly string[] = []): readonly string[] =>
  [...releases, ...later].slice(-limits.sdkReleases);

/** Whether a handset is too old (DV-12). What the app doesn't report is not known to fall short. */
export const isOldHandset = ({ handsetGeneration }: DeviceFacts): boolean =>
  handsetGeneration !== undefined && handsetGeneration < limits.handsetGeneration;

/** Whether the release of its operating system is a year old (DV-12). */
export const isOldSystem = ({ osReleasedOn }: Pick<DeviceFacts, 'osReleasedOn'>, now: number): boolean =>
  osReleasedOn !== undefined && addMonths(Date.parse(osReleasedOn), limits.osReleaseMonths) <= now;
