/** A moment written to the millisecond, as `toISOString` of JavaScript does. */
const WITH_FRACTION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})[.,]\d{1,9}(Z|[+-]\d{2}:?\d{2})?$/i;

/** A text that is a moment with a fraction of its second without it; another text as it is. */
export const withoutFraction = (text: string): string => text.replace(WITH_FRACTION, '$1$2');
