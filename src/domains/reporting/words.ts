/** The words of a text, in order. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);
