import type { Domain } from '../domain.ts';
import { webhooks as contract } from './contract.ts';
import { guards } from './guards.ts';

/** Webhook subscriptions: document 1. An agent looks them up; nothing of theirs is remembered. */
export const webhooks = { contract, machines: {}, kinds: {}, guards, incidental: [] } as const satisfies Domain;
