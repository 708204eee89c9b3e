/**
 * Why a service or a part that is not active cannot be had. It can be shown, and stays where it was sold, booked or
 * quoted; but nobody is sold it anew.
 */
export const notOffered = (name: string): string => `${name} is no longer offered`;
