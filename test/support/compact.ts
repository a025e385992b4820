/** JSON in which every value that fits into a line is one line, and a list fills its lines. */
export function compact(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1)?.replace(/\n\s*/g, ' ') ?? 'undefined';
  if (line.length + indent.length <= 116 || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) return `[${filled(value, deeper)}\n${indent}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const written = members.map(([key, member]) => `${deeper}${JSON.stringify(key)}: ${compact(member, deeper)}`);
  return `{\n${written.join(',\n')}\n${indent}}`;
}

/** Items, as many to a line as fit. */
const filled = (items: readonly unknown[], indent: string): string =>
  items.reduce<{ readonly text: string; readonly room: number }>(
    ({ text, room }, item, at) => {
      const written = `${compact(item, indent)}${at === items.length - 1 ? '' : ','}`;
      const fits = written.length + 1 <= room;
      return {
        text: fits ? `${text} ${written}` : `${text}\n${indent}${written}`,
        room: (fits ? room - 1 : 116 - indent.length) - written.length,
      };
    },
    { text: '', room: 0 },
  ).text;
