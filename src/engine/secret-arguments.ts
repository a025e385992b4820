import { Secret } from '../core/secret.ts';
import type { Facts } from '../domains/facts.ts';
import { fillsSecret } from './secret-fills.ts';
import type { Arg, Tool } from './tool.ts';

// The app or a customer passes a request's secret as an argument. Once its schema is checked, the argument is wrapped
// in a `Secret`, which guards, approvals, digests, rows and the audit see, and only the client opens.

type Given = Readonly<Record<string, unknown>>;

/** Wraps the arguments that fill a secret of the request in a `Secret`. */
export function holdSecrets(tool: Tool, args: Facts['args']): Facts['args'] {
  const held = secretArguments(tool).flatMap(([name, { fills }]) =>
    args[name] === undefined ? [] : [[name, new Secret(fills[0]?.value(args[name]))] as const],
  );
  return held.length === 0 ? args : { ...args, ...Object.fromEntries(held) };
}

/** A caller's arguments without the secret ones, for screening. */
export function withoutSecretArguments(tool: Tool | undefined, raw: unknown): unknown {
  const names = tool === undefined ? [] : secretArguments(tool).map(([name]) => name);
  if (names.length === 0 || typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  return Object.fromEntries(Object.entries(raw as Given).filter(([name]) => !names.includes(name)));
}

/** Whether a call has a secret argument. */
export const carriesSecrets = (args: Facts['args']): boolean =>
  Object.values(args).some((value) => value instanceof Secret);

const secretArguments = (tool: Tool): readonly (readonly [name: string, arg: Arg])[] =>
  tool.kind === 'local' || !tool.definition.takesSecrets
    ? []
    : Object.entries(tool.input.args).filter(([, { fills }]) => fillsSecret(tool.definition, fills));
