import type { DeliveryOptions } from '../http/platform-events.ts';
import type { Sandbox } from '../sandbox/handler.ts';
import { wallClock } from './compose.ts';
import type { Configuration } from './configuration.ts';
import { accountsOf } from './tenants.ts';

/** How the HTTP server of this process takes deliveries; undefined where there is neither a key nor a sandbox in the process. */
export function deliveriesOf(configuration: Configuration, sandbox?: Sandbox): DeliveryOptions | undefined {
  const [{ webhookKeys }] = accountsOf(configuration);
  if (webhookKeys.length === 0 && sandbox === undefined) return undefined;
  return {
    clock: wallClock,
    keyOf: async (keyId) => {
      const given = webhookKeys.find((it) => it.keyId === keyId)?.key;
      if (given !== undefined || sandbox === undefined) return given;
      const { keyOfSandbox } = await import('./sandbox-subscription.ts'); // a start with a real platform has no use for it
      return keyOfSandbox(sandbox, keyId);
    },
  };
}
