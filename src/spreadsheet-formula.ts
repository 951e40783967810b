/**
 * A text at whose start a spreadsheet sees a formula. The full-width forms count too: spreadsheets of Chinese, Japanese
 * and Korean users read them as the plain ones.
 */
export const SPREADSHEET_FORMULA = /^[=+\-@＝＋－＠\t\r]/;
