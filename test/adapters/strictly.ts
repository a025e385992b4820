import { tools } from '../../tools/index.ts';

/**
 * Arguments as a model must write them under a strict schema: null for each that it leaves out, JSON text for free JSON. Said
 * here once more, apart from the adapters, so that both must be right.
 */
export function strictly(name: unknown, args: object): object {
  const shape = tools.find((tool) => tool.name === name)?.input.shape ?? {};
  const optional = Object.entries(shape).filter(([, schema]) => schema.safeParse(undefined).success);
  return {
    ...Object.fromEntries(optional.map(([key]) => [key, null])),
    ...args,
    ...(name === 'preview_call' ? { arguments: previewed(args) } : {}),
  };
}

const previewed = (args: { readonly tool?: unknown; readonly arguments?: object }): string =>
  JSON.stringify(strictly(args.tool, args.arguments ?? {}));
