/** The description shared by all fields with a link for clients. */
export const CLIENT_LINK =
  'It is good for 61 to 90 days, and only in answers to keys of the roles Owner, Admin and Office.';
