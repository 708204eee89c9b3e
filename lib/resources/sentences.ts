/** What every field with a link for clients says of it. */
export const CLIENT_LINK =
  'It is good for 61 to 90 days, and only in answers to keys of the roles Owner, Admin and Office.';
