import { billing } from './billing.ts';
import { invoicing } from './invoicing.ts';
import { purchase } from './purchase.ts';

/** Every operation of the platform, by domain. */
export const domains = { purchase, billing, invoicing } as const;

type Together<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void ? All : never;

export type Contract = Together<(typeof domains)[keyof typeof domains]>;
export type OperationName = keyof Contract;

/** Every operation of the platform, by name. The name is the name everywhere: client method, route, tool. */
export const contract = Object.assign({}, ...Object.values(domains)) as Contract; // the members of all domains
