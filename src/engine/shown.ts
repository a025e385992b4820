import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { unitWords } from '../core/schedule.ts';

// Who may have written each field of an answer. Text without a declared source counts as untrusted output.

type Source =
  /** Written by Purser or the operator, including everything below. */
  | { readonly by: 'purser' }
  /** Text of this form is an id, a code or an enum value, so it can't hold an instruction. */
  | { readonly form: RegExp }
  /** An answer or request of another tool, which a property of the data or the arguments names. */
  | { readonly of: 'answer' | 'request'; readonly tool: string };

const sources = new WeakMap<z.ZodType, Source>();

const from = <S extends z.ZodType>(schema: S, source: Source): S => {
  const copy = schema.clone();
  sources.set(copy, source);
  return copy;
};

/** The declared source of a field; undefined if anybody may have written it. */
export const sourceOf = (schema: z.ZodType): Source | undefined => sources.get(schema);

/** Written by Purser or its operator. */
export const written = <S extends z.ZodType>(schema: S): S => from(schema, { by: 'purser' });
/** The answer of another tool, named by `tool` in the data or the arguments. */
export const answerOfTool = <S extends z.ZodType>(schema: S): S => from(schema, { of: 'answer', tool: 'tool' });
/** A redacted request of another tool, named the same way. */
export const requestOfTool = <S extends z.ZodType>(schema: S): S => from(schema, { of: 'request', tool: 'tool' });

const like = (form: RegExp) => from(z.string(), { form });

/** Sentences and names that Purser or its operator has written. */
export const ownWords = written(z.string());
/** A handle: minted by Purser, or chosen by the merchant's app in the same form. */
export const handleShown = like(/^[a-z]{2,12}_[a-z0-9_]{1,58}$/i);
/** A handle that Purser generated from random letters, so it can't carry words. */
export const mintedShown = like(new RegExp(`^[a-z]{2,12}_[a-z]{${limits.handleCharacters}}$`));
/** A state of a machine or a status of the platform: one word. */
export const stateShown = like(/^[A-Za-z_]{1,24}$/);
/** A code: at most as long as a plan's code, without spaces. */
export const codeShown = like(new RegExp(`^[\\w-]{1,${limits.billingCodeCharacters}}$`));
/** The platform's name for a type of credentials. */
export const typeShown = like(/^[A-Za-z0-9_-]{1,20}$/);
export const currencyShown = like(/^[A-Z]{3}$/);
/** The payment link of an invoice. */
export const addressShown = like(/^https?:\/\/[\w.:/?=&%~-]{1,255}$/);
// Figures have one form each, in arguments and in answers. None can hold a word.

/** An amount as decimal text with its currency's decimals: "45.00". Arguments may leave decimals out. */
export const amountShown = like(/^-?\d{1,15}(?:\.\d{1,3})?$/);
/** A day, "2026-03-31". */
export const dayShown = like(/^(?:\d{4}-\d\d-\d\d|unknown)$/);
/** A moment in UTC, "2026-03-31T09:00:00Z". */
export const momentShown = like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$|^unknown$/);
/** The month in which a card expires, "2031-12". */
export const monthShown = like(/^(?:\d{4}-\d\d|unknown)$/);
/** A count: a number, as in arguments. */
export const countShown = z.number();
/** Digits that are not a quantity: the last four of a card, or a cursor. */
export const digitsShown = like(/^\d{1,9}$/);
/** The unit of a period, as in arguments. */
export const unitShown = like(new RegExp(`^(?:${Object.keys(unitWords).join('|')})$`));
