import { bugs } from './bugs.ts';

const places = 'test/promises/untrusted-output.test.ts › ends mandates wherever';
const ways = (pattern: string) => `test/promises/taint.test.ts › ${pattern}`;

/** Bugs in how text of somebody else is noticed, and in what counts as the merchant's own. */
// biome-ignore format: rows
export const taintMutants = bugs([
  ['knows-what-it-never-declared', 'a member that no shape declares is taken for harmless',
   'src/engine/untrusted-output.ts', `${places} get_invoice shows it`,
   `if (shape === undefined) return false;`, `if (shape === undefined) return true;`],
  ['believes-the-form', 'a field of a certain form is taken for harmless whatever stands in it',
   'src/engine/untrusted-output.ts', `${places} list_plans shows it`,
   `return source.form.test(text);`, `return true;`],
  ['launders-through-a-plan',
   'what an agent writes after reading the text of somebody else is taken for the merchant’s own',
   'src/engine/authorship.ts', ways('is not what an agent writes that has read'),
   `if (await isTainted(tx, caller, now)) return;`, `if (texts === undefined) return;`],
  ['approval-text-is-purser-s',
   'the text of an approval is taken for the merchant’s own although it quotes somebody else',
   'src/engine/authorship.ts', ways('ends mandates: the text of an approval'),
   `if (approval !== undefined && !(await quotesOthers(tx, tool, facts)))`, `if (approval !== undefined)`],
  ['nested-answers-are-trusted', 'the answer within an answer is not looked at',
   'src/engine/untrusted-output.ts', ways('ends mandates: an earlier answer'),
   `if (source.of === 'answer') return answerShape(tool);`, `if (source.of === 'answer') return ownWords;`],
  ['everybody-is-one-conversation', 'one conversation taints all others of its principal',
   'src/engine/taint.ts', ways('ends mandates: the name of a shopper'),
   `conversation ?? session`, `session`],
  ['reason-in-our-sentence', 'whatever the platform gives as its reason stands in a sentence of Purser',
   'src/domains/index.ts', 'test/engine/finish.test.ts › keeps apart what could be a sentence: a reason',
   `reasons.has(text.replace(/: \\d{1,3}$/, '')) ||`, `text !== '' ||`],
  ['a-message-for-a-reason', 'a message beside a field is read as the reason, where the platform gives a code besides',
   'src/client/refusal.ts', 'test/client/refusal.test.ts › 400 of recurring billing, which says of the field: must be text',
   'it !== undefined && isReason(it)', 'it !== undefined'],
  ['believes-what-failed', 'texts count as recorded although the transaction that recorded them failed',
   'src/engine/text-recorder.ts',
   'test/engine/text-recorder.test.ts › is recorded by itself where that transaction failed',
   'recorded?.body === body ? recorded.texts : []', 'recorded?.texts ?? []'],
  ['reads-and-keeps-nothing', 'what is added to an answer after its outcome is recorded taints nobody',
   'src/engine/text-recorder.ts', 'test/engine/text-recorder.test.ts › is recorded, too, where it was added',
   'filter((text) => !known.includes(text))', 'filter((text) => known.includes(text))'],
]);
