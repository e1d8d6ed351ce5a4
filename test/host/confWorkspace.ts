/** A workspace whose conf file has one misspelled key, in its second line. */
export const confWorkspace: Readonly<Record<string, string>> = {
  "conf/spark-defaults.conf": "spark.executor.memory 4g\nspark.excutor.cores   2\n",
};
