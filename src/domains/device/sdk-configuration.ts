import { z } from 'zod';
import { once } from '../../core/once.ts';

// What the app builds the SDK's instance with: document 3, "SDK objects". Names and values are the SDK's, without the dot.

const summaryFeatures = [
  ...(['refundTransaction', 'sendReceiptViaEmail', 'captureTransaction', 'incrementTransaction'] as const),
  ...(['retryTransaction', 'skipSummaryScreen'] as const),
] as const;

export const sdkConfiguration = once(() =>
  z.strictObject({
    summaryFeatures: z
      .array(z.enum(summaryFeatures))
      .default(['sendReceiptViaEmail'])
      .describe(
        'Buttons of the Summary screen; by default the receipt alone (D-96). What staff refunds, captures, increments or retries there is held to no limit and no approval.',
      ),
    resultConfiguration: z
      .enum(['displayIndefinitely', 'skipSummaryScreen'])
      .default('displayIndefinitely')
      .describe('Whether the Summary screen stays until it is closed (the default), or is skipped.'),
    signatureCapture: z
      .enum(['onScreen', 'onReceipt', 'none'])
      .default('onScreen')
      .describe('Where a customer signs: on the screen (the default), on the paper receipt, or nowhere.'),
    enrollmentConfiguration: z
      .strictObject({
        serialNumberInputMethod: z
          .enum(['deviceList', 'manualInput'])
          .default('deviceList')
          .describe(
            'Whether enrollment lists the devices that were enrolled before (the default), or has the serial number typed.',
          ),
        confirmationScreenOption: z
          .enum(['showWithSerialNumber', 'skip'])
          .default('showWithSerialNumber')
          .describe('Whether enrollment ends with a screen that shows the serial number (the default).'),
      })
      .prefault({}),
  }),
);

export type SdkConfiguration = z.output<ReturnType<typeof sdkConfiguration>>;
