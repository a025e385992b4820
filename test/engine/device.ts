import type { World } from './support.ts';

// The card reader as an agent uses it, and worlds in which there is one.

/** The handle of a reader of the configured environment that is enrolled, and whose merchant was shown the education screens. */
export async function readyDevice(it: World): Promise<string> {
  const { environment = 'test' } = it.parts.settings.domains.device ?? {};
  await it.control('POST', 'reader', { state: 'enrolled', educationShown: true, environment });
  return deviceOf(it);
}

export const deviceOf = async (it: World): Promise<string> => (await it.call('device_status')).data.device;

/** A charge as an agent asks for it. */
export const charging = (device: string, more: object = {}) => ({
  ...{ device, reference: 'sale-1', sum: { amount: '40.00', currency: 'GBP' }, ...more },
});

/** The handle of a sale. */
export const sold = async (it: World, more: object = {}): Promise<string> =>
  (await it.through('charge_device', charging(await readyDevice(it), more))).data.transaction;

/** The handle of a pre-authorization. */
export const held = (it: World, more: object = {}): Promise<string> => sold(it, { pre_authorize: true, ...more });

/** What happens next at the reader. */
export const atReader = (it: World, tap: object): Promise<unknown> => it.control('POST', 'reader/taps', tap);
