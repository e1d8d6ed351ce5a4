import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Counts letters: `Letters [TIMES]`. letters.jar is this, compiled. */
public final class Letters {
  private static final List<String> WORDS =
      Arrays.asList("driver", "executor", "pod", "namespace", "label", "shuffle", "stage", "task");

  public static void main(String[] args) {
    int times = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    try (JavaSparkContext spark = new JavaSparkContext()) {
      List<Tuple2<String, Integer>> counts =
          spark
              .parallelize(WORDS, 4)
              .flatMap(word -> Arrays.asList(word.split("")).iterator())
              .mapToPair(letter -> new Tuple2<>(letter, times))
              .reduceByKey(Integer::sum)
              .sortByKey()
              .collect();
      for (Tuple2<String, Integer> count : counts) {
        System.out.println(count._1() + " " + count._2());
      }
    }
  }
}
