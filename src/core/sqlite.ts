// Node's own SQLite. It is asked for here, and not imported: an import that an old Node doesn't have fails before anybody can
// say which Node is needed. The command says it itself, in src/cli/purser.ts.

// Node 20.15 and older lack the function itself.
const { getBuiltinModule } = process as { getBuiltinModule?: typeof process.getBuiltinModule };
const sqlite = getBuiltinModule?.('node:sqlite');
if (sqlite === undefined)
  throw new Error(`Node 22.19 or newer is required, and this is ${process.versions.node}: install a newer version.`);

export type DatabaseSync = InstanceType<typeof sqlite.DatabaseSync>;
export const { DatabaseSync } = sqlite;
