import type { Secret } from '../core/secret.ts';
import type { Channel } from './approval-channels.ts';

/** How people who decide reach this Purser. Absent members are unavailable. */
export interface Reach {
  readonly command?: {
    readonly variables: { readonly [name: string]: string };
    readonly words: readonly string[];
    readonly options: readonly string[];
  };
  /** The origin of the approval page; undefined until a port is open. */
  readonly page?: () => string | undefined;
  /** The key that customers' links are derived from; undefined until it is loaded. */
  readonly linkKey?: () => Secret<string> | undefined;
}

/** The URL of an approval's page. */
export const approvalPageUrl = (origin: string, approval: string): string =>
  `${origin}/approve/${encodeURIComponent(approval)}`;

/** Where a person decides an approval: the page and the command, if their channels count. */
export function placesOf(
  approval: string,
  { command, page }: Reach,
  channels: readonly Channel[],
): { readonly page?: string; readonly command?: string } {
  const origin = channels.includes('page') ? page?.() : undefined;
  return {
    ...(origin === undefined ? {} : { page: approvalPageUrl(origin, approval) }),
    ...(command === undefined || !channels.includes('cli')
      ? {}
      : {
          command: [
            ...Object.entries(command.variables).map(([name, value]) => `${name}=${shellWord(value)}`),
            ...[...command.words, 'approvals', 'approve', approval, ...command.options].map(shellWord),
          ].join(' '),
        }),
  };
}

/** A word quoted for a POSIX shell. */
export const shellWord = (word: string): string =>
  /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
