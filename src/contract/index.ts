import { purchase } from './purchase.ts';

/** Every operation of the platform, by domain. */
export const domains = { purchase } as const;

/** Every operation of the platform, by name. The name is the name everywhere: client method, route, tool. */
export const contract = { ...purchase } as const;

export type Contract = typeof contract;
export type OperationName = keyof Contract;
