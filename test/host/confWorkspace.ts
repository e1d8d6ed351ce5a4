/** A workspace whose conf file has one misspelled key, on its second line. */
export const confWorkspace: Readonly<Record<string, string>> = {
  "conf/spark-defaults.conf": "spark.executor.memory 4g\nspark.excutor.cores   2\n",
};

/** The beginning of a manifest, up to the entries of `sparkConf`. */
export const manifestHead = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: orders
spec:
  type: Python
  mode: cluster
  image: spark:4.3.0
  sparkVersion: 4.3.0
  mainApplicationFile: local:///app/orders.py
  sparkConf:
`;

/** One file for each surface other than conf files, each with an invalid value for the same key. */
export const surfaceWorkspace: Readonly<Record<string, string>> = {
  "orders.yaml": `${manifestHead}    spark.executor.memory: 1.5g
`,
  "run.sh": `spark-submit --master k8s://https://127.0.0.1:6443 --deploy-mode cluster \\
  --conf spark.executor.memory=1.5g local:///app/orders.py
`,
  "orders.py":
    'spark = SparkSession.builder.config("spark.executor.memory", "1.5g").getOrCreate()\n',
  "Orders.java":
    'class Orders { SparkConf conf = new SparkConf().set("spark.executor.memory", "1.5g"); }\n',
  ".vscode/tasks.json": `{
  "version": "2.0.0",
  "tasks": [
    {
      "type": "spark",
      "label": "orders",
      "application": "local:///app/orders.py",
      "conf": { "spark.executor.memory": "1.5g" }
    }
  ]
}
`,
};
