import { bugs } from './bugs.ts';

const files = (pattern: string) => `test/engine/files.test.ts › ${pattern}`;
const served = (pattern: string) => `test/faces/files.test.ts › ${pattern}`;
const transports = (pattern: string) => `test/engine/transports.test.ts › ${pattern}`;

/** Calls that take a while, and files. */
// biome-ignore format: rows
export const streams = bugs([
  ['cancels-what-may-have-happened', 'a repeat of a call that may have taken effect is answered as cancelled',
   'src/engine/cancellation.ts', transports('may have taken effect is never answered as cancelled'),
   `if (verdict.kind === 'send' || verdict.kind === 'ask')`, `if (verdict.kind !== 'answer')`],
  ['cancels-for-all', 'one caller cancels a call for which another one still waits',
   'src/engine/shared-watch.ts', transports('goes on while somebody still waits'),
   'if (callers.size === 0) cancel.abort();', 'cancel.abort();'],
  ['nothing-found-too-soon', 'a charge that the reader does not find yet is taken for one that never was',
   'src/engine/recover.ts', transports('not found yet may still be charged'),
   'if (isCertain && isQuiet(operationOf(tool), row, now))', 'if (isCertain && now > 0)'],
  ['files-of-everybody', "a principal reads another one's file",
   'src/engine/files.ts', files('belongs to the principal who downloaded it'),
   `    ...ownedBy(caller),\n  };`, '  };'],
  ['file-text-is-trusted', 'the text of a file taints nothing',
   'src/engine/files.ts', files('taints the conversation that reads it'),
   'taint(tx, caller, [text],', 'taint(tx, caller, [],'],
  ['leaves-half-a-file', 'half of a file stays after it broke off',
   'src/client/receive-file.ts', files('leaves nothing behind where it ends as truncated'),
   'await file?.abort();', ''],
  ['files-fill-the-disk', 'reports fill the disk of the ledger, and no call can be recorded until they expire',
   'src/files/store.ts', files('leaves the ledger room on its disk'),
   `freeBytes(folder) - more >= limits.freeDiskBytes`, `freeBytes(folder) - more >= 0`],
  ['head-leaves-it-open', 'each HEAD of a file leaves it open, until Purser can open nothing more',
   'src/http/server.ts', served('answers HEAD without leaving the file open'),
   `    if (req.method === 'HEAD') await context.res.body?.cancel();\n`, ''],
  ['a-replaced-file-stays-open', 'each reading of a stored file that somebody replaces meanwhile leaves it open',
   'src/files/store.ts', 'test/engine/replaced-files.test.ts › a folder is refused at once, and stays open nowhere',
   `      closeSync(file);\n      throw error;`, `      throw error;`],
  ['a-shorter-file-than-said', 'where a file gets shorter while it is sent, the next answer is taken for its end',
   'src/files/store.ts', served('breaks off where the file gets shorter'),
   `done(left > 0 ? changed() : null)`, `done(null)`],
  ['a-longer-file-than-said', 'where a file gets longer while it is sent, its end is taken for the next answer',
   'src/files/store.ts', served('breaks off where the file gets longer'),
   `if (left < 0) done(changed());`, `if (left < -Infinity) done(changed());`],
  ['answers-across-streams', 'a second request of a session with the id of one under way gets the answer of the first, which waits for good',
   'src/http/mcp-sessions.ts', 'test/promises/sessions.test.ts › a second request with the id of one under way is refused',
   `ids.some((id) => session.underWay.has(id))`, `session.underWay.size < 0`],
  ['closes-on-a-reaction', 'a person says yes just before the host ends, and the ledger is closed before that is recorded',
   'src/mcp/pending-calls.ts', 'test/faces/protocol.test.ts › is idle only when the call has ended, too',
   '      await nextTurn();\n', ''],
  ['stops-before-it-answers', 'a server that stops waits for its calls, and then throws their answers away',
   'src/http/listen.ts', 'test/faces/http.test.ts › that closes sends an answer that is not written yet',
   '      await answered(limits.answerMilliseconds); // of the calls that have just ended, too\n', ''],
]);
