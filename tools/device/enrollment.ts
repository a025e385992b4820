import { isEnrolled, enrollment as machine } from '../../src/domains/device/machines.ts';
import type { Things } from '../../src/domains/facts.ts';
import { platformTool, platformTools, readBack } from '../../src/engine/tool.ts';
import { field, optional } from '../../src/engine/tool-arguments.ts';
import { deviceArg, readerId, readerLock, theDevice } from './parts.ts';
import { deviceOutput, showDevice } from './presentation.ts';

// The tools for the device: whether it is enrolled, and enrolling it.

const entity = ({ cardReader: device }: Things) => ({ state: device?.state ?? 'none' });

const status = platformTool('deviceStatus', {
  description: 'Look at the card reader: whether it is enrolled, and what its app reports. Gives `device`.',
  input: { args: () => ({}) },
  observe: {
    looksAt: { kind: 'cardReader', machine, entity },
    stateFromResponse: ({ body }) => body.status,
    observations: (facts, { body }) => [
      {
        kind: 'cardReader',
        handle: theDevice(facts),
        state: body.status,
        body: { reader: readerId(facts), ...reported(body.reader) },
      },
    ],
  },
  present: {
    messages: {
      enrolled: 'The reader is enrolled.',
      enrolling: 'The reader is being enrolled. Look again before anything else.',
      notEnrolled: 'The reader is not enrolled.',
    },
    next: { enrolled: { tools: ['charge_device'], because: 'It can take cards.' } },
    outputSchema: deviceOutput,
    shows: showDevice,
  },
});

/** What the app reports of itself. What it no longer reports is removed. */
const reported = (it: { readonly [member: string]: unknown } = {}) => ({
  ...{ environment: it.environment, serialNumber: it.serialNumber, handsetGeneration: it.handsetGeneration },
  ...{ osVersion: it.osVersion, osReleasedOn: it.osReleasedOn, sdkVersion: it.sdkVersion },
  educationShown: it.educationShown,
});

/** The device is looked at before a decision about it: an app can enroll it, and connect with another account. */
export const freshDevice = [{ tool: status, args: () => ({}) }] as const;

export const enrollment = [
  status,
  ...platformTools({
    enrollDevice: {
      description:
        'Enroll the card reader: a person follows the screens on it. With `serial_number`, a known device is enrolled again.',
      input: {
        args: () => ({
          device: deviceArg,
          serial_number: optional(field('enrollDevice')('with', 'Known device: 4 to 32 letters, digits or hyphens.')),
        }),
      },
      refresh: freshDevice,
      policy: { lockKey: readerLock },
      observe: {
        moves: { kind: 'cardReader', entity },
        observations: (facts, { body }, { state }) => [
          {
            kind: 'cardReader',
            handle: theDevice(facts),
            state,
            body: { reader: readerId(facts), deviceId: body.deviceId || undefined, educationShown: undefined },
          },
        ],
      },
      present: {
        messages: {
          done: "The reader is enrolled. Show the merchant the education screens now; they stay in the app's settings.",
        },
        next: {
          enrolled: {
            tools: ['device_status'],
            because: 'It says whether the screens were shown, which the first charge needs.',
          },
        },
        outputSchema: deviceOutput,
        shows: showDevice,
      },
      reconcile: {
        // D-134: a failed enrollment ends as `notEnrolled` (D-29), so the state of the device says what became of it.
        readBack: readBack('deviceStatus', {
          with: () => ({ names: {} }),
          isOfReader: true,
          finds: (found, { body, from }) => {
            const { status, reader } = found ?? {};
            if (status === 'notEnrolled') return 'nothing';
            if (!isEnrolled(status ?? '')) return 'unclear';
            const [asked, used] = [body?.with, reader?.serialNumber];
            if (asked !== undefined && asked !== used) return used === undefined ? 'unclear' : 'nothing';
            // One that was enrolled before proves nothing. Of what was answered, only the id of the device is not told.
            return from === status ? 'unclear' : { happened: { deviceId: '' } };
          },
        }),
      },
    },
  }),
];
