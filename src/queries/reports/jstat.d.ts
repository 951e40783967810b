/** The part of the library that is used: it comes without types. */
declare module 'jstat' {
  const jstat: {
    studentt: {
      /** The quantile of Student's t distribution. @param p 0 to 1 @param freedom degrees of freedom, above 0 */
      inv(p: number, freedom: number): number;
    };
  };
  export default jstat;
}
