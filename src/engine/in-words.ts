/** A name of the code as people say it: "unit price" for `unitPrice`. */
export const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
