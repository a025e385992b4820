import { bugs } from './bugs.ts';

const engine = (file: string, pattern: string) => `test/engine/${file}.test.ts › ${pattern}`;
const writeAhead = (pattern: string) => engine('write-ahead', pattern);

/** What the ledger keeps. */
// biome-ignore format: rows
export const ledgerMutants = bugs([
  // The ledger.
  ['no-compare-and-set', 'an operation is changed whatever version it has',
   'src/ledger/operations.ts', 'test/ledger/store.test.ts › refuses a change of a row that somebody else changed',
   ".where('version', '=', was)", ".where('version', '>', was - was)"],
  ['no-compare-and-set-on-approvals', 'an approval is changed whatever version it has',
   'src/ledger/approvals.ts', 'test/ledger/store.test.ts › is used once',
   ".where('version', '=', was)", ".where('version', '>', was - was)"],
  ['tenant-forgotten', 'one query forgets whose rows it reads',
   'src/ledger/tenant-scope.ts', 'test/ledger/tenants.test.ts › finds nothing by any id, filter or key',
   "select: () => db.selectFrom('observations').where('tenant', '=', tenant),",
   "select: () => db.selectFrom('observations'),"],
  ['audit-outside', 'the audit row is written outside of the transaction of what it tells',
   'src/engine/write-intent.ts', writeAhead('and its audit row are kept together or not at all'),
   `  await tx.audit.append({
    operationId: row.id,
    event: 'sent',
    body: {
      tool: call.tool.name,`,
   `  const outside = (entry: Parameters<typeof tx.audit.append>[0]) =>
    void setImmediate(() => parts.ledger.transaction(call.caller.tenant, (later) => later.audit.append(entry)));
  outside({
    operationId: row.id,
    event: 'sent',
    body: {
      tool: call.tool.name,`],
  ['chain-without-links', 'the hash of an audit row does not cover the hash before',
   'src/ledger/chain.ts', 'test/ledger/chain.test.ts › each hash over the row and the hash before',
   'sha256(canonicalJson({ ...content }))', "sha256(canonicalJson({ ...content, previousHash: '' }))"],
  ['broken-chain-ignored', 'money moves while the audit chain is broken',
   'src/engine/audit-lock.ts', engine('gates', 'does nothing but read while the audit chain is broken'),
   'throw new Refused(damaged, { isNoted: false });', 'return;'],
  ['a-sum-given-flat', 'a sum that is given in two arguments is refused, and nothing says where the two belong',
   'src/engine/argument-faults.ts', 'test/engine/argument-faults.test.ts › name the argument that a member stands beside',
   '    memberNamed(key, has, issue, tool) ??\n', ''],
  ['a-handle-by-another-name', 'what tools call a thing leads to no handle of it',
   'src/engine/in-words.ts', 'test/engine/argument-faults.test.ts › of capture_payment suggest for',
   'kindTable[kind].words ?? inWords(kind)', 'inWords(kind)'],
  ['a-second-part-says-nothing', 'a part without a reference of its own is not told under which call it counts',
   'src/engine/made-before.ts', 'test/conversion/payments.test.ts › says of a second part without a reference',
   "args[argument] !== undefined || reference === ''", "args[argument] !== undefined || reference !== ''"],
  ['a-screen-that-only-reads', 'a call that opens a screen at the counter is listed as one that only reads',
   'src/engine/tool.ts', 'test/faces/tools.test.ts › gives all four hints of every tool',
   'operationOf(tool).showsPeople !== true', "operationOf(tool).effect === 'read'"],
  ['a-handle-without-a-way', 'a lookup in the ledger that lacks its handle leads nowhere',
   'src/engine/argument-faults.ts', 'test/engine/argument-faults.test.ts › name for a handle that.*the tool that finds it',
   `tool.foundBy?.[field] ?? []`, `[]`],
  ['half-a-character-is-invisible', 'half a character is refused as an invisible one, which nobody finds',
   'src/engine/registration-faults.ts', 'test/engine/register.test.ts › takes no name with half a character',
   `!value.isWellFormed()) faults.push(wrong(field, halfCharacter))`,
   `!value.isWellFormed()) faults.push(wrong(field, unseen))`],
  ['a-misspelled-preview', 'a preview of a tool that is misspelled leads nowhere',
   'src/engine/preview.ts', 'test/engine/preview.test.ts › of a tool that is misspelled names the one that is meant',
   'unknownTool(closestName(named.tool, [...state.offered.keys()]))', 'unknownTool()'],
]);
