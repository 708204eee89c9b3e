/** An amount of money as sentences say it: `1,340.00`, `-50.00`. */
export const moneyText = (amount: number): string => amount.toFixed(2).replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');
