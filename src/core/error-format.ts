import type { z } from 'zod';
import type { PathOf } from './fields.ts';

/** An error response of the platform, independent of the domain. Each domain has its own body for it. */
export interface ErrorReport {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  /** The field at fault, as a dotted path. */
  readonly field?: string | undefined;
  /** Every field at fault, if the body can list several. */
  readonly details: readonly ErrorDetail[];
  /** The time of the response, in ISO 8601. */
  readonly at: string;
  /** The id of the request, or one that the platform gave it. */
  readonly id?: string | undefined;
}

export type ErrorDetail = { readonly field: string; readonly reason: string };

/**
 * The paths of reason, field and message in a body. The first path with a text counts; `[]` is a list's first element.
 */
export interface ErrorPaths<P extends string = string> {
  readonly reason: readonly P[];
  readonly field: readonly P[];
  readonly message: readonly P[];
}

/** The error body of a domain: the client reads it by `paths`, the sandbox writes it with `toBody`. */
export interface ErrorFormat {
  readonly schema: z.ZodType;
  readonly paths: ErrorPaths;
  /** The reasons in the documents and in public models of clients. Any other text may come from somebody else. */
  readonly reasons: readonly string[];
  /** The status of a reason, where it has one of its own. */
  readonly statuses?: { readonly [reason: string]: number | undefined };
  readonly toBody: (error: ErrorReport) => unknown;
}

/** Declares an error format, type-checked against the schema. */
export const errorFormat = <S extends z.ZodType>(format: {
  readonly schema: S;
  readonly paths: ErrorPaths<PathOf<S>>;
  readonly reasons: readonly string[];
  readonly statuses?: { readonly [reason: string]: number | undefined };
  readonly toBody: (error: ErrorReport) => z.input<S>;
}): ErrorFormat => format;

/** The error body of the gateway, which responds before a request reaches an operation. Public connectors parse it. */
export const gatewayError = (message: string | undefined) => ({ response: { rmsg: message } });
