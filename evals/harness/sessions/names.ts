import { type Names, namesInOrder } from '../goldens/names.ts';

/** A longer value without a space is encoded, and nobody reads it. A path, an address or the path of a field is not. */
const encoded = /^(?!\/|https?:|[A-Za-z]+(?:\.[A-Za-z]+)+$)[\w+/=.~-]{65,}$/;
/** Names of members may look like ids. */
const words = /^[a-z]{4,}[A-Z][a-z]{4,}/;

/** Names for the ids of a session. */
export function namesInSession(): Names {
  const given = namesInOrder();
  return {
    ...given,
    in: (text) => {
      if (encoded.test(text)) return `${text.split('.').length} encoded`;
      return words.test(text) ? text : given.in(text);
    },
  };
}
