const MOST_CHARACTERS = 2048;

/** Whether a text is an address of the web, scheme and all. People click on it, so that no other scheme will do. */
export const isWebAddress = (text: string): boolean =>
  text.length <= MOST_CHARACTERS && /^https?:\/\/[^\s"'<>\\]+$/.test(text) && URL.canParse(text);

/**
 * Whether a text is the address of a website, which people also write without its scheme: `www.example.com/denver`. A
 * port needs the scheme, since `javascript:1` is no port to a browser.
 */
export const isWebsite = (text: string): boolean =>
  isWebAddress(text) || (/^[^:/?#]+([/?#]|$)/.test(text) && isWebAddress(`https://${text}`));
