import type { ReaderCall } from '../../../sandbox/domain.ts';
import type { device as contract } from '../contract.ts';

/** How each operation of the SDK goes: document 3, "SDK operations". */
export const atReader = {
  deviceStatus: { asks: false, taps: false, failing: { else: 'error' } },
  enrollDevice: { asks: true, taps: false, failing: { else: 'error' } },
  chargeDevice: { asks: true, taps: true, failing: { else: 'failure' } },
  refundWithoutOriginal: { asks: true, taps: true, failing: { else: 'failure' } },
  incrementPreauthorization: { asks: true, taps: false, failing: { else: 'error' } },
  capturePreauthorization: { asks: true, taps: false, failing: { else: 'error' } },
  refundDeviceTransaction: { asks: true, taps: false, failing: { else: 'error' } },
  lookupDeviceTransaction: {
    ...{ asks: false, taps: false },
    failing: { 404: 'notFound', 502: 'networkError', 503: 'networkError', else: 'unexpected' },
  },
  showDeviceSummary: { asks: false, taps: false, failing: { else: 'failure' } },
  sendDeviceReceipt: { asks: true, taps: false, failing: { else: 'error' }, cancelled: 'cancelByUser' },
} satisfies { readonly [N in keyof typeof contract]?: ReaderCall };
