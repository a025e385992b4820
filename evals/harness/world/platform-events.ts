import { Secret } from '../../../src/core/secret.ts';
import { sign } from '../../../src/core/webhook-signature.ts';
import type {} from '../../../src/domains/webhooks/sandbox/documents.ts'; // the sandbox's kinds of documents
import type { Engine } from '../../../src/engine/engine.ts';
import { createDeliveries } from '../../../src/http/platform-events.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/index.ts';
import type { Values } from '../scenario/schema.ts';

/** An event that a scenario delivers. */
export interface Told {
  readonly eventType: string;
  readonly data: Values;
}

/** The deliveries of a world: by the platform, or by somebody else. Each answers the statuses that Purser gave. */
export interface PlatformEvents {
  /** Somebody has subscribed: from now on there is something to deliver. */
  begin(): void;
  /** What the sandbox has to deliver: after each step of a story. */
  due(): Promise<readonly number[]>;
  /** The last delivery once more. */
  again(): Promise<readonly number[]>;
  /** An event that a scenario makes up, signed by the platform or by nobody who could. */
  tell(event: Told, isForged: boolean): Promise<readonly number[]>;
}

type Sender = NonNullable<SandboxOptions['send']>;
type Outgoing = Parameters<Sender>[0];

const noKey = { keyId: '00000000-0000-4000-8000-000000000000', key: Buffer.alloc(32).toString('base64') };

/** The way from a sandbox to Purser, without a port. */
export function createEvents(clock: { now(): number }) {
  let statuses: number[] = [];
  let last: Pick<Outgoing, 'headers' | 'body'> | undefined;
  let post: (sent: Pick<Outgoing, 'headers' | 'body'>) => Promise<number> = async () => 0;
  const send: Sender = async ({ headers, body }) => post({ headers, body });

  /** The deliveries of one world. */
  const between = (sandbox: Sandbox, engine: Pick<Engine, 'receiveDelivery' | 'workEvents'>): PlatformEvents => {
    const keys = () => sandbox.world.transaction((world) => world.list('webhook'));
    let told = 0;
    // In most stories nobody subscribes, and looking for events after each of their steps would take as long as the step.
    let isSubscribed = false;
    const take = createDeliveries({
      ...{ engine, clock, tenant: 'default' },
      keyOf: async (keyId) => {
        const found = (await keys()).find((it) => it.keyId === keyId);
        return found && new Secret(found.key);
      },
      onFailure: (failure) => {
        throw failure;
      },
    });
    last = undefined;
    post = async (sent) => {
      last = sent;
      const address = 'https://purser.test/webhooks/platform';
      const { status } = await take(new Request(address, { method: 'POST', ...sent }), undefined);
      statuses.push(status);
      return status;
    };
    /** Does a delivery, and has Purser work on what it has taken. */
    const delivered = async (deliver: () => Promise<unknown>): Promise<readonly number[]> => {
      statuses = [];
      await deliver();
      await engine.workEvents();
      return statuses;
    };
    return {
      begin: () => {
        isSubscribed = true;
      },
      due: async () => (isSubscribed ? delivered(() => sandbox.deliver()) : []),
      again: () => delivered(async () => last && post(last)),
      tell: ({ eventType, data }, isForged) =>
        delivered(async () => {
          const [{ keyId, key, id } = { ...noKey, id: 'none' }] = await keys();
          const wall = clock.now();
          told += 1;
          const body = JSON.stringify({
            ...{
              eventType,
              webhookId: id,
              eventDate: new Date(wall).toISOString(),
              transactionTraceId: `told-${told}`,
            },
            ...{ retryNumber: 0, requestType: 'NEW', payload: { data } },
          });
          const signature = sign(new Secret(isForged ? noKey.key : key), body, wall, keyId);
          await post({ body, headers: { 'content-type': 'application/json', 'v-c-signature': signature } });
        }),
    };
  };
  return { send, between };
}
