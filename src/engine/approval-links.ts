import type { Channel } from './approval-channels.ts';

/** How a person who decides reaches this Purser. What is left out isn't there. */
export interface Reach {
  readonly command?: {
    readonly variables: { readonly [name: string]: string };
    readonly words: readonly string[];
    readonly options: readonly string[];
  };
  /** The origin of the approval page; undefined until a port is open. */
  readonly page?: () => string | undefined;
}

/** The address of the page of one approval, at the origin by which people reach us. */
export const pageOf = (origin: string, approval: string): string => `${origin}/approve/${encodeURIComponent(approval)}`;

/** Where a person decides about an approval: the page and the command, by the channels that count. */
export function placesOf(
  approval: string,
  { command, page }: Reach,
  channels: readonly Channel[],
): { readonly page?: string; readonly command?: string } {
  const origin = channels.includes('page') ? page?.() : undefined;
  return {
    ...(origin === undefined ? {} : { page: pageOf(origin, approval) }),
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

/** A word as a POSIX shell takes it. */
export const shellWord = (word: string): string =>
  /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
