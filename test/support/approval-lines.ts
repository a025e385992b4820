/** The lines of an approval text, with those that were wrapped put together, and without what keeps their order. */
export const approvalLines = (text = ''): readonly string[] =>
  text.replaceAll('\n  | ', '').replaceAll('\u200e', '').split('\n');
