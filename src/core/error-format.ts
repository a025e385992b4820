import type { z } from 'zod';
import type { PathOf } from './fields.ts';

/** A refusal by the platform, in neutral words. Each domain has its own response body for it. */
export interface ErrorReport {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  /** The field at fault, in dotted names. */
  readonly field?: string | undefined;
  /** Every field at fault, where the body has room for more than one. */
  readonly details: readonly ErrorDetail[];
  /** When it was answered, in ISO 8601. */
  readonly at: string;
}

export type ErrorDetail = { readonly field: string; readonly reason: string };

/** Where a body has reason, field and message. The first path with a text counts; `[]` is the first element of a list. */
export interface ErrorPaths<P extends string = string> {
  readonly reason: readonly P[];
  readonly field: readonly P[];
  readonly message: readonly P[];
}

/** The error body of a domain, in both directions: the client reads it by `paths`, the sandbox writes it with `toBody`. */
export interface ErrorFormat {
  readonly schema: z.ZodType;
  readonly paths: ErrorPaths;
  /** The reasons that the documents and public models of clients show. Any other text may be a sentence of somebody else. */
  readonly reasons: readonly string[];
  readonly toBody: (error: ErrorReport) => unknown;
}

/** Declares an error format. The compiler checks its paths and its body against the schema. */
export const errorFormat = <S extends z.ZodType>(format: {
  readonly schema: S;
  readonly paths: ErrorPaths<PathOf<S>>;
  readonly reasons: readonly string[];
  readonly toBody: (error: ErrorReport) => z.input<S>;
}): ErrorFormat => format;

/** The body of the gateway, which answers before a request reaches an operation. Public connectors parse it. */
export const gatewayError = (message: string | undefined) => ({ response: { rmsg: message } });
