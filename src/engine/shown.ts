import { z } from 'zod';
import { limits } from '../contract/limits.ts';

// Who may have written what an answer shows. A text of which a shape says nothing may be anybody's words.

type Source =
  /** Purser's or the operator's words, with everything below it. */
  | { readonly by: 'purser' }
  /** A value of this form is an id, a code or a word of a list: it can't hold an instruction. */
  | { readonly form: RegExp }
  /** An answer, or a request, of the tool that this member of the same data, or of the arguments, names. */
  | { readonly of: 'answer' | 'request'; readonly tool: string };

const sources = new WeakMap<z.ZodType, Source>();

const from = <S extends z.ZodType>(schema: S, source: Source): S => {
  const copy = schema.clone();
  sources.set(copy, source);
  return copy;
};

/** What is known of a shown field; undefined where anybody may have written it. */
export const sourceOf = (schema: z.ZodType): Source | undefined => sources.get(schema);

/** What Purser or its operator has written. */
export const written = <S extends z.ZodType>(schema: S): S => from(schema, { by: 'purser' });
/** The answer of another tool, whose name stands under `tool` in the data or the arguments. */
export const answerOfTool = <S extends z.ZodType>(schema: S): S => from(schema, { of: 'answer', tool: 'tool' });
/** A redacted request of another tool, in the same way. */
export const requestOfTool = <S extends z.ZodType>(schema: S): S => from(schema, { of: 'request', tool: 'tool' });

const like = (form: RegExp) => from(z.string(), { form });

/** Sentences and names that Purser or its operator has written. */
export const ownWords = written(z.string());
/** A handle: minted by Purser, or chosen by the merchant's app in the same form. */
export const handleShown = like(/^[a-z]{2,12}_[a-z0-9_]{1,58}$/i);
/** A handle that Purser made of random letters. It carries no words where it is shown in the place of a text. */
export const mintedShown = like(new RegExp(`^[a-z]{2,12}_[a-z]{${limits.handleCharacters}}$`));
/** A state of a machine or a status of the platform: one word. */
export const stateShown = like(/^[A-Za-z_]{1,24}$/);
/** A code: no longer than that of a plan, and without blanks. */
export const codeShown = like(new RegExp(`^[\\w-]{1,${limits.billingCodeCharacters}}$`));
/** What the platform calls a kind of credentials, as `credentials.ts` lets it pass. */
export const typeShown = like(/^[A-Za-z0-9_-]{1,20}$/);
export const currencyShown = like(/^[A-Z]{3}$/);
/** "month", "2 weeks". */
export const periodShown = like(/^(?:unknown|(?:\d{1,4} )?(?:day|week|month|year)s?)$/);
/** The address that the platform makes for an invoice. */
export const addressShown = like(/^https?:\/\/[\w.:/?=&%~-]{1,255}$/);
/** An amount, a number, a day or a moment: none of them holds a word. */
export const figureShown = z.string();
