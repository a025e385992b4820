import { machine } from '../../core/machine.ts';

/**
 * A report subscription. Document 3 names its operations and shows no states; the merchant's name for it is the platform's
 * id, so a name that is saved again after its deletion is the same thing once more.
 */
export const reportSubscription = machine('report subscription', {
  source: 'document 3',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',    'save',   '', 'ACTIVE',  'reports are made by its schedule'],
    ['ACTIVE',  'save',   '', 'ACTIVE',  'it is replaced'],
    ['DELETED', 'save',   '', 'ACTIVE',  'a new one of that name'],
    ['ACTIVE',  'delete', '', 'DELETED', 'its finished reports stay'],
  ],
  conditions: {},
  breach: { save: 'RP-01', delete: 'RP-01' },
  order: { usual: ['save'], givesUp: ['delete'] },
});
