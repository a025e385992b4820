/** JSON in which every value that fits into a line is one line. */
export function compact(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1)?.replace(/\n\s*/g, ' ') ?? 'undefined';
  if (line.length + indent.length <= 116 || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const written = members.map(([key, member]) => {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    return `${deeper}${name}${compact(member, deeper)}`;
  });
  return `${open}\n${written.join(',\n')}\n${indent}${close}`;
}
