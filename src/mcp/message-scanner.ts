/** What can be read from a JSON-RPC message byte by byte, without storing it: its id, whether it asks or tells, and its nesting depth. */
export interface ScannedMessage {
  readonly id: string | number | undefined;
  /** It is no answer. */
  readonly hasMethod: boolean;
  readonly levels: number;
}

/** Characters of an id or a property name that are kept. Own choice. */
const mostKept = 128;
const [quote, backslash, colon, comma] = [...'"\\:,'].map((sign) => sign.charCodeAt(0));
const opening: readonly number[] = [...'{['].map((sign) => sign.charCodeAt(0));
const closing: readonly number[] = [...'}]'].map((sign) => sign.charCodeAt(0));

/** Scans a message of any length in constant memory. For text that is not JSON, returns what could be read. */
export function createMessageScanner() {
  let depth = 0;
  let levels = 0;
  let inString = false;
  let isEscaped = false;
  let isValue = false;
  let text = '';
  let key = '';
  let id: string | number | undefined;
  let hasMethod = false;

  const keep = (byte: number): void => {
    if (depth === 1 && text.length <= mostKept) text += String.fromCharCode(byte);
  };
  const endOfString = (): void => {
    if (depth !== 1) return;
    if (!isValue) {
      key = text;
      hasMethod ||= key === 'method';
    } else if (key === 'id' && text.length <= mostKept && /^[\x20-\x7e]*$/.test(text)) id = unescaped(text);
    text = '';
  };
  const endOfNumber = (): void => {
    if (depth === 1 && isValue && key === 'id' && /^-?\d{1,15}$/.test(text)) id = Number(text);
    text = '';
  };
  const readInString = (byte: number): void => {
    if (!isEscaped && byte === quote) {
      inString = false;
      endOfString();
      return;
    }
    isEscaped = !isEscaped && byte === backslash;
    keep(byte);
  };
  const read = (byte: number): void => {
    if (inString) readInString(byte);
    else if (byte === quote) {
      inString = true;
      text = '';
    } else if (opening.includes(byte)) {
      depth++;
      levels = Math.max(levels, depth);
      if (depth === 1) isValue = false;
    } else if (closing.includes(byte)) {
      endOfNumber();
      depth--;
    } else if (byte === colon && depth === 1) isValue = true;
    else if (byte === comma && depth === 1) {
      endOfNumber();
      isValue = false;
    } else if (byte > 0x20) keep(byte);
  };
  return {
    read: (bytes: Uint8Array): void => bytes.forEach(read),
    scanned: (): ScannedMessage => ({ id, hasMethod, levels }),
  };
}

function unescaped(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return undefined; // not an id that can be answered
  }
}
